// SPDX-License-Identifier: Apache-2.0

/// The cause of a post, for watchers.
struct TraceOrigin: Sendable {
    /// The post whose handler posted it.
    var cause: UInt64?
    /// The nesting depth of handlers at the post.
    var level = 0
    /// Whether a watcher posted it, directly or through the handlers of its message.
    ///
    /// Watchers do not see such a post, because a watcher would otherwise see its own effects
    /// endlessly.
    var isMuted = false
}

/// The context of a running delivery, for posts that its handlers make.
struct TraceContext: Sendable {
    let center: ObjectIdentifier
    let origin: TraceOrigin
}

extension DeliveryThread {
    /// Returns the cause of a post that is made on `center` now.
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
