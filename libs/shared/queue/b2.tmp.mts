import pg from 'pg';
const c=new pg.Client({connectionString:'postgresql://eas:eas@127.0.0.1:54329/postgres'});await c.connect();
await c.query('CREATE TEMP TABLE x(a int)');await c.query('CREATE TABLE IF NOT EXISTS qx(a int)');
const t=async(n:string,f:()=>Promise<any>)=>{const l:number[]=[];for(let i=0;i<300;i++){const s=performance.now();await f();l.push(performance.now()-s);}l.sort((a,b)=>a-b);console.log(n,l[150].toFixed(2),l[295].toFixed(2));};
await t('select',()=>c.query('select 1'));
await t('insert commit',()=>c.query('insert into qx values(1)'));
await c.query('set synchronous_commit=off');
await t('insert async',()=>c.query('insert into qx values(1)'));
await c.query('drop table qx');await c.end();
