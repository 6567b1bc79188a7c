// SPDX-License-Identifier: Apache-2.0

/// The machine's interfaces and default routes at one moment.
struct NetworkSnapshot: Hashable {
    /// The indexes of the interfaces over which packets can leave the machine.
    private var usableInterfaces: Set<Int32> = []
    /// The indexes of the interfaces of default routes.
    private var routedInterfaces: Set<Int32> = []
    private var hasIndirectRoute = false

    mutating func add(_ link: NetworkLink) {
        if link.isUsable { usableInterfaces.insert(link.index) }
    }

    mutating func add(_ route: DefaultRoute) {
        routedInterfaces.formUnion(route.interfaces)
        if route.isIndirect { hasIndirectRoute = true }
    }

    /// The connectivity, which is online if a default route over a usable interface exists.
    var connectivity: Connectivity {
        // The query does not read the table of next hops, so an indirect route may use any usable
        // interface.
        let isOnline =
            hasIndirectRoute
            ? !usableInterfaces.isEmpty : !usableInterfaces.isDisjoint(with: routedInterfaces)
        return isOnline ? .online : .offline
    }
}
