/* The page of a run that goes on; a report has nothing of it. */
const Live = {};
