import { Tag } from '../parts/tag.tsx';
import styles from './projects.module.css';

export const Tags = ({ texts }: { texts: readonly string[] }) => (
  <div className={styles['tags']}>
    {texts.map((text) => (
      <Tag key={text}>{text}</Tag>
    ))}
  </div>
);
