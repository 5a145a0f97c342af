/** The life of a run: plan, prepare, ready, warm up, measure, drain, audit, verdict. */
package io.plimsoll.run;
