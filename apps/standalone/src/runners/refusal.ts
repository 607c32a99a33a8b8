import type { SupervisorRefusal } from '@eas/contracts';

/** Why a call of the gateway changes nothing. */
export class Refusal extends Error {
  readonly refusal: SupervisorRefusal;
  constructor(code: SupervisorRefusal['code'], sentence: string, constraint?: SupervisorRefusal['constraint']) {
    super(sentence);
    this.refusal = { code, message: sentence, ...(constraint === undefined ? {} : { constraint }) };
  }
}
