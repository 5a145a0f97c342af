/** Makes things go wrong while a trial runs, and puts them right again. */
package io.plimsoll.run.faults;
