// The interface document of the service: a test for each statement. Left out are what it calls "not shown", the status 500,
// which no request causes on purpose, and what is said about versions to come.
import './interface/endpoints.ts';
import './interface/agents.ts';
import './interface/tasks.ts';
import './interface/workflows.ts';
import './interface/receiver.ts';
import './interface/authentication.ts';
import './interface/events.ts';
import './interface/errors.ts';
import './interface/limits.ts';
