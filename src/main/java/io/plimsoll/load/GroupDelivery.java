package io.plimsoll.load;

import java.util.List;

/**
 * The account of what a consumer group did to one partition.
 *
 * @param again records that were processed once more
 * @param distinct records of the trial that were processed
 * @param position the offset behind the last one
 * @param ranges of a group with members elsewhere: what was processed here, as the first offset and the number of
 *     records of each range one after the other; null if all members are here
 */
public record GroupDelivery(
        String group, String topic, int partition, long again, long distinct, long position, List<Long> ranges) {}
