// SPDX-License-Identifier: Apache-2.0
import TidingsLock

extension MessageCenter {
    /// Lets messages pass all observations by until ``resume()``.
    ///
    /// A post that begins after this call has returned has no recipient: it returns 0, retains
    /// nothing and calls no unhandled hook; watchers see it as `intercepted`. No interceptor sees
    /// it. A request fails at once, and objects that are registered under a protocol are not
    /// called. Messages that were posted before are delivered. Blocking twice changes nothing.
    ///
    /// A center that is not blocked pays nothing for it: the block is an interceptor.
    ///
    /// ```swift
    /// center.block()
    /// restoreDocument()  // nobody is called with its changes
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

    /// Lets messages reach observations again, from the next post on.
    ///
    /// Messages that were posted meanwhile are not made up for.
    public func resume() {
        let token = blocking.withLock { blocking in
            registered.setBlocked(false)
            return blocking.take()
        }
        token?.cancel()
    }

    /// Whether messages pass all observations by for now.
    public var isBlocked: Bool { blocking.withLock { $0 != nil } }
}
