/** Estimators of what a load looks like. Pure: no Kafka, no clock, no thread, no file; no contents of records. */
package io.plimsoll.capture.shape;
