/** What other tools have saved of their measurements, as trials of ours.. */
package io.plimsoll.result.imported;
