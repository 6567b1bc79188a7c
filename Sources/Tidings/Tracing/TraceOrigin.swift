// SPDX-License-Identifier: Apache-2.0

/// What a post was brought about by, as far as watchers are concerned.
struct TraceOrigin: Sendable {
    /// The post whose handler posted it.
    var cause: UInt64?
    /// How many handlers deep it was posted.
    var level = 0
    /// Whether a watcher posted it, directly or by what its message's handlers posted: such a
    /// post is shown to nobody, or the watcher would see the effects of itself without end.
    var isMuted = false
}

/// A delivery that a thread is making, for what its handlers post.
struct TraceContext: Sendable {
    let center: ObjectIdentifier
    let origin: TraceOrigin
}

extension DeliveryThread {
    /// What a post made now on `center` would be brought about by.
    func traceOrigin(of center: MessageCenter) -> TraceOrigin {
        let id = ObjectIdentifier(center)
        var origin = state { $0.traces.last { $0.center == id }?.origin } ?? TraceOrigin()
        if isInside(.watcher, of: center) { origin.isMuted = true }
        return origin
    }

    func beginTrace(_ context: TraceContext) {
        state { $0.traces.append(context) }
    }

    func endTrace() {
        state { _ = $0.traces.popLast() }
    }
}
