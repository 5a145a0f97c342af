/** Histograms, counters, one-second snapshots and their merge. Knows no Kafka and no file. */
package io.plimsoll.measure;
