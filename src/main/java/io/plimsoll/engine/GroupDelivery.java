package io.plimsoll.engine;

/**
 * What a consumer group did to one partition.
 *
 * @param again records that were processed once more
 * @param distinct records of the trial that were processed
 * @param position the offset behind the last one
 */
public record GroupDelivery(String group, String topic, int partition, long again, long distinct, long position) {}
