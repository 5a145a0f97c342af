package io.plimsoll.wire.server;

import io.plimsoll.wire.TopicRef;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/**
 * A broker as clients see it, without the protocol in which they speak with it: requests are put to it, and answers made
 * from what it says. Everything in it is safe for several threads.
 */
public interface Served {
    Host host();

    /** The one broker that clients learn of. */
    record Host(String clusterId, int brokerId, String name, int port) {}

    /** The highest version of an API that is spoken, by the API's key; the newest for the others. */
    Map<Short, Short> maxVersions();

    /** Whether batches with a wrong CRC are refused. */
    boolean checksCrcs();

    /** Decides whether the next produce request is refused whole. */
    boolean refusesNext();

    /** A produce request was read wholly. */
    void produced(boolean refused);

    /** A batch was wrong and refused. */
    void refusedBatch();

    Topics topics();

    Log log();

    Groups groups();

    /** Null stands for a topic that there is not. */
    interface Topics {
        Collection<? extends Topic> all();

        Topic named(String name);

        Topic withId(Uuid id);

        /** @param partitions 0: as many as topics have by default */
        Topic create(String name, int partitions);

        /** @return false if there was none */
        boolean delete(String name);
    }

    interface Topic {
        TopicRef ref();

        int partitionCount();

        /** @return null if there is no such partition */
        Partition partition(int index);
    }

    interface Partition {
        /** @return the offset of the batch's first record */
        long append(int records, int bytes);

        long endOffset();
    }

    /** Batches from which what is fetched is put together; a batch is named by its number. */
    interface Log {
        /** The bytes of a batch before those that {@link #show} shows: its base offset. */
        int BASE_OFFSET_BYTES = Long.BYTES;

        /** Time of every record. */
        long timestampMillis();

        /** @return the batch at this offset, with at most so many records */
        int choose(long offset, long available);

        int records(int batch);

        int bytes(int batch);

        /** A view of all batches, whose position and limit are the caller's. */
        ByteBuffer view();

        /** Makes a view show a batch from behind its base offset to its end. */
        void show(ByteBuffer view, int batch);
    }

    /** Consumer groups, and what they committed. */
    interface Groups {
        record Member(String id, int generation) {}

        enum Standing {
            MEMBER,
            UNKNOWN,
            OLD_GENERATION
        }

        /**
         * @param id empty for a member that has none yet
         * @return null if the group takes no one
         */
        Member join(String group, String id, long sessionMillis);

        /** A member gives a sign of life. */
        Standing heard(String group, String id, int generation);

        /** @return false if it was no member */
        boolean leave(String group, String id);

        /** @return false if no more is kept */
        boolean commit(String group, TopicPartition partition, long offset);

        /** @return −1 without one */
        long committed(String group, TopicPartition partition);

        Set<TopicPartition> committed(String group);
    }
}
