/** Pure: which records were acknowledged, which can be read, and what differs. */
package io.plimsoll.audit;
