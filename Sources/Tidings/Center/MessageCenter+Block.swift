// SPDX-License-Identifier: Apache-2.0
import TidingsLock

extension MessageCenter {
    /// Stops delivering messages to observations until ``resume()`` is called.
    ///
    /// A post that starts after this call has returned has no recipient: `post` returns 0, retains
    /// nothing and calls no unhandled hook. Watchers see the post as `intercepted`. Interceptors
    /// are not called. A request fails immediately, and objects that are registered under a
    /// protocol are not called. Messages that were posted before the block are still delivered.
    /// Blocking twice changes nothing.
    ///
    /// A center that is not blocked has no extra cost, because the block is an interceptor.
    ///
    /// ```swift
    /// center.block()
    /// restoreDocument()  // no observer is called with its changes
    /// center.resume()
    /// ```
    public func block() {
        guard !isBlocked else { return }
        let all = allMessages.priority(ObservationPriority(.max))
        let token = all.intercept { _ in .drop }
        let unneeded = blocking.withLock { blocking -> ObservationToken? in
            if blocking != nil { return token }
            blocking = token
            registered.setBlocked(true)
            return nil
        }
        unneeded?.cancel()
    }

    /// Delivers messages to observations again, from the next post on.
    ///
    /// Messages that were posted while the center was blocked are not delivered later.
    public func resume() {
        let token = blocking.withLock { blocking in
            registered.setBlocked(false)
            return blocking.take()
        }
        token?.cancel()
    }

    /// Whether the center is blocked and delivers no messages.
    package var isBlocked: Bool { blocking.withLock { $0 != nil } }
}
