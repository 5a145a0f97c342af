package io.plimsoll.run;

import io.plimsoll.cluster.Topics;

/** The source of a run's load. */
public interface Workers {

    Worker worker(Topics topics);

    /** Whether this process generates the load, so that its host is the load host. */
    boolean local();

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
