package io.plimsoll.nullbroker;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData.JoinGroupRequestProtocol;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.JoinGroupResponseData.JoinGroupResponseMember;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.LeaveGroupRequestData.MemberIdentity;
import org.apache.kafka.common.message.LeaveGroupResponseData;
import org.apache.kafka.common.message.LeaveGroupResponseData.MemberResponse;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.message.SyncGroupRequestData.SyncGroupRequestAssignment;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.apache.kafka.common.protocol.Errors;

/**
 * A null broker's answers to consumer groups of the classic protocol. A group has one member, which leads it and so
 * assigns every partition to itself; a second one is refused as long as the first is there.
 */
final class GroupApis {
    private static final int MOST_GROUPS = 10_000;

    /** Who is in a group; replaced, never changed. */
    private record Member(String id, int generation, long heardNanos, long sessionNanos) {
        Member heard(long nowNanos) {
            return new Member(id, generation, nowNanos, sessionNanos);
        }

        boolean gone(long nowNanos) {
            return nowNanos - heardNanos > sessionNanos;
        }
    }

    private final NullBrokerState state;
    private final Map<String, Member> members = new ConcurrentHashMap<>();
    private final AtomicLong ids = new AtomicLong();

    private GroupApis(NullBrokerState state) {
        this.state = state;
    }

    static void register(NullBrokerApis apis, NullBrokerState state) {
        GroupApis answers = new GroupApis(state);
        apis.add(ApiMessageType.JOIN_GROUP, JoinGroupRequestData.class, answers::join);
        apis.add(ApiMessageType.SYNC_GROUP, SyncGroupRequestData.class, answers::sync);
        apis.add(ApiMessageType.HEARTBEAT, HeartbeatRequestData.class, answers::heartbeat);
        apis.add(ApiMessageType.LEAVE_GROUP, LeaveGroupRequestData.class, answers::leave);
    }

    private JoinGroupResponseData join(JoinGroupRequestData request) {
        List<JoinGroupRequestProtocol> protocols = List.copyOf(request.protocols());
        if (protocols.isEmpty() || request.groupId().isEmpty()) {
            return refused(protocols.isEmpty() ? Errors.INCONSISTENT_GROUP_PROTOCOL : Errors.INVALID_GROUP_ID);
        }
        long now = state.nowNanos();
        String id = request.memberId().isEmpty() ? "member-" + ids.incrementAndGet() : request.memberId();
        long session = TimeUnit.MILLISECONDS.toNanos(Math.max(0, request.sessionTimeoutMs()));
        Member joined = members.size() >= MOST_GROUPS
                ? null
                : members.compute(request.groupId(), (group, before) -> {
                    boolean free = before == null || before.id().equals(id) || before.gone(now);
                    int generation = before == null ? 1 : before.generation() + 1;
                    return free ? new Member(id, generation, now, session) : before;
                });
        if (joined == null || !joined.id().equals(id)) {
            return refused(Errors.GROUP_MAX_SIZE_REACHED);
        }
        JoinGroupRequestProtocol protocol = protocols.get(0);
        return new JoinGroupResponseData()
                .setGenerationId(joined.generation())
                .setProtocolType(request.protocolType())
                .setProtocolName(protocol.name())
                .setLeader(id)
                .setMemberId(id)
                .setMembers(List.of(new JoinGroupResponseMember()
                        .setMemberId(id)
                        .setGroupInstanceId(request.groupInstanceId())
                        .setMetadata(protocol.metadata())));
    }

    private static JoinGroupResponseData refused(Errors error) {
        return new JoinGroupResponseData().setErrorCode(error.code()).setProtocolName("");
    }

    private SyncGroupResponseData sync(SyncGroupRequestData request) {
        Errors error = hear(request.groupId(), request.memberId(), request.generationId());
        SyncGroupResponseData response = new SyncGroupResponseData()
                .setErrorCode(error.code())
                .setProtocolType(request.protocolType())
                .setProtocolName(request.protocolName());
        for (SyncGroupRequestAssignment assignment : request.assignments()) {
            if (error == Errors.NONE && assignment.memberId().equals(request.memberId())) {
                response.setAssignment(assignment.assignment());
            }
        }
        return response;
    }

    private HeartbeatResponseData heartbeat(HeartbeatRequestData request) {
        Errors error = hear(request.groupId(), request.memberId(), request.generationId());
        return new HeartbeatResponseData().setErrorCode(error.code());
    }

    private Errors hear(String group, String id, int generation) {
        Member member = members.computeIfPresent(
                group, (name, known) -> known.id().equals(id) ? known.heard(state.nowNanos()) : known);
        if (member == null || !member.id().equals(id)) {
            return Errors.UNKNOWN_MEMBER_ID;
        }
        return member.generation() == generation ? Errors.NONE : Errors.ILLEGAL_GENERATION;
    }

    private LeaveGroupResponseData leave(LeaveGroupRequestData request) {
        LeaveGroupResponseData response = new LeaveGroupResponseData();
        if (request.members().isEmpty()) {
            return response.setErrorCode(
                    leave(request.groupId(), request.memberId()).code());
        }
        for (MemberIdentity member : request.members()) {
            response.members()
                    .add(new MemberResponse()
                            .setMemberId(member.memberId())
                            .setGroupInstanceId(member.groupInstanceId())
                            .setErrorCode(
                                    leave(request.groupId(), member.memberId()).code()));
        }
        return response;
    }

    private Errors leave(String group, String id) {
        Member known = members.get(group);
        boolean left = known != null && known.id().equals(id) && members.remove(group, known);
        return left ? Errors.NONE : Errors.UNKNOWN_MEMBER_ID;
    }
}
