package io.plimsoll.wire.server;

import io.plimsoll.wire.server.Served.Groups.Member;
import java.util.List;
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

/** The answers to consumer groups of the classic protocol; who joins a group leads it, as its only member. */
final class GroupApis {
    private final Served.Groups groups;

    private GroupApis(Served.Groups groups) {
        this.groups = groups;
    }

    static void register(ServerApis apis, Served served) {
        GroupApis answers = new GroupApis(served.groups());
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
        Member joined = groups.join(request.groupId(), request.memberId(), request.sessionTimeoutMs());
        if (joined == null) {
            return refused(Errors.GROUP_MAX_SIZE_REACHED);
        }
        JoinGroupRequestProtocol protocol = protocols.get(0);
        return new JoinGroupResponseData()
                .setGenerationId(joined.generation())
                .setProtocolType(request.protocolType())
                .setProtocolName(protocol.name())
                .setLeader(joined.id())
                .setMemberId(joined.id())
                .setMembers(List.of(new JoinGroupResponseMember()
                        .setMemberId(joined.id())
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
        return switch (groups.heard(group, id, generation)) {
            case MEMBER -> Errors.NONE;
            case UNKNOWN -> Errors.UNKNOWN_MEMBER_ID;
            case OLD_GENERATION -> Errors.ILLEGAL_GENERATION;
        };
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
        return groups.leave(group, id) ? Errors.NONE : Errors.UNKNOWN_MEMBER_ID;
    }
}
