// SPDX-License-Identifier: Apache-2.0

/// The machine's interfaces and default routes, and what they mean.
struct NetworkTable: Hashable {
    /// Interfaces over which packets can leave.
    private var ways: Set<Int32> = []
    /// Interfaces that default routes take.
    private var routed: Set<Int32> = []
    private var hasIndirectRoute = false

    mutating func add(_ link: NetworkLink) {
        if link.leadsOut { ways.insert(link.index) }
    }

    mutating func add(_ route: DefaultRoute) {
        routed.formUnion(route.interfaces)
        if route.isIndirect { hasIndirectRoute = true }
    }

    /// Online with a default route over an interface that leads out.
    var connectivity: Connectivity {
        // Which interface an indirect route takes is not asked: any that leads out may be it.
        let isOnline = hasIndirectRoute ? !ways.isEmpty : !ways.isDisjoint(with: routed)
        return isOnline ? .online : .offline
    }
}
