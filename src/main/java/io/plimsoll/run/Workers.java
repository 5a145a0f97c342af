package io.plimsoll.run;

import io.plimsoll.cluster.Topics;

/** Where the load of a run comes from. */
public interface Workers {

    /** A worker for one trial. */
    Worker worker(Topics topics);

    /** True if the load is made in this process: its host is that of the load. */
    boolean local();

    /** This process alone. */
    Workers LOCAL = new Workers() {
        @Override
        public Worker worker(Topics topics) {
            return new LocalWorker("local", topics);
        }

        @Override
        public boolean local() {
            return true;
        }
    };
}
