/** Makes trials of ours of what other tools have saved of their measurements. */
package io.plimsoll.result.imported;
