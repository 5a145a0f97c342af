package io.plimsoll.testing;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;

/** Changes the ACLs of a cluster with one broker. The controller responds before the broker applies the change. */
public final class Acls {
    private Acls() {}

    /** Returns when they have an effect. */
    public static void create(Admin admin, Collection<AclBinding> acls)
            throws ExecutionException, InterruptedException {
        admin.createAcls(acls).all().get();
        Await.until("the broker applies " + acls, () -> find(admin, AclBindingFilter.ANY)
                .containsAll(acls));
    }

    /** Returns when the deleted ACLs have no effect any more. */
    public static void delete(Admin admin, AclBindingFilter which) throws ExecutionException, InterruptedException {
        admin.deleteAcls(List.of(which)).all().get();
        Await.until("the broker drops " + which, () -> find(admin, which).isEmpty());
    }

    private static Collection<AclBinding> find(Admin admin, AclBindingFilter which)
            throws ExecutionException, InterruptedException {
        return admin.describeAcls(which).values().get();
    }
}
