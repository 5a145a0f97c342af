/** Values for Avro, Protobuf and JSON schemas, and schema registries: a separate module. */
@NullMarked
package io.plimsoll.schemas;

import org.jspecify.annotations.NullMarked;
