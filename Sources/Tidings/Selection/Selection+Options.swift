// SPDX-License-Identifier: Apache-2.0
import TidingsLock

extension Selection {
    /// Selects the elements for which a closure returns true.
    ///
    /// The closure is called on the poster's thread, before the element takes a place in a buffer.
    /// If the handler runs on the main actor and its buffer has no limit, the closure is called on
    /// the main actor, just before the handler. With two filters, an element must pass both.
    ///
    /// ```swift
    /// center.messages(of: Played.self).where { $0.title != "Intro" }
    /// ```
    ///
    /// - Parameter isIncluded: Returns whether the handler is called with an element.
    /// - Returns: The selection.
    public consuming func `where`(_ isIncluded: @escaping @Sendable (Element) -> Bool) -> Selection
    {
        if let first = options.filter {
            options.filter = { first($0) && isIncluded($0) }
        } else {
            options.filter = isIncluded
        }
        return self
    }

    /// Sets the position among the observations of the same message.
    ///
    /// ```swift
    /// center.messages(of: LoggedIn.self).priority(.high)
    /// ```
    ///
    /// - Parameter priority: The priority. The default is `.normal`.
    /// - Returns: The selection.
    public consuming func priority(_ priority: ObservationPriority) -> Selection {
        requireOnce(options.priority == nil, "priority")
        options.priority = priority
        return self
    }

    /// Ends each observation with its first call.
    ///
    /// ```swift
    /// let token = center.messages(of: LoggedIn.self).once().observe { print($0.name) }
    /// ```
    ///
    /// - Returns: The selection.
    public consuming func once() -> Selection {
        requireOnce(!options.isOnce, "once")
        options.isOnce = true
        return self
    }

    /// Limits the pending elements of a handler or reader that is slower than the poster.
    ///
    /// A handler that would run on the poster's thread runs in a mailbox instead. Tasks call the
    /// handler with one element at a time, in order.
    ///
    /// With `.newest(1)`, a slow handler of states receives the newest state and skips earlier
    /// pending states.
    ///
    /// ```swift
    /// for await newest in products.states.buffering(.newest(1)).values { show(newest) }
    /// ```
    ///
    /// - Parameter buffering: The limit. The default is `.unbounded`.
    /// - Returns: The selection.
    public consuming func buffering(_ buffering: Buffering) -> Selection {
        requireOnce(options.buffering == nil, "buffering")
        options.buffering = buffering
        return self
    }

    /// Sets the number of elements that a mailbox handles at a time.
    ///
    /// A handler that would run on the poster's thread also runs in a mailbox. Handlers on an actor
    /// and readers of a sequence take one element at a time.
    ///
    /// ```swift
    /// center.messages(of: PhotoTaken.self).concurrency(4).observe { try await upload($0) }
    /// ```
    ///
    /// - Parameter count: The number. The default is 1.
    /// - Returns: The selection.
    /// - Precondition: `count` is at least 1.
    public consuming func concurrency(_ count: Int) -> Selection {
        requireOnce(options.concurrency == nil, "concurrency")
        require(
            count >= 1,
            "An observation runs at least 1 call at a time: concurrency(\(count)) runs none."
        )
        options.concurrency = count
        return self
    }

    func requireOnce(_ isFirst: Bool, _ option: String) {
        require(isFirst, "A selection takes \(option) once. Remove one of the two.")
    }
}

extension Selection where Element: Equatable {
    /// Skips an element that equals the last element that the handler received.
    ///
    /// Each observation has a last element of its own. `post` still counts a skipped observation as
    /// addressed. An element that a filter rejects, or that arrives while the observation is
    /// blocked, does not become the last element. An element that a full queue drops becomes the
    /// last element. Where each change must be delivered, leave the queue unbounded.
    ///
    /// Elements are compared where filters are called, without a lock. If two threads post equal
    /// messages simultaneously, the handler is called with one message. If two threads post
    /// different messages, the handler is called with both, in either order. With posts of several
    /// threads, equal elements can follow each other in a queue.
    ///
    /// ```swift
    /// center.messages(of: VolumeSet.self).removingDuplicates()
    /// ```
    ///
    /// - Returns: The selection.
    public consuming func removingDuplicates() -> Selection {
        requireOnce(options.duplicates == nil, "removingDuplicates")
        options.duplicates = {
            let memory = LastElement<Element>()
            return { memory.replace(with: $0) }
        }
        return self
    }
}

/// The last element with which one observation was called.
final class LastElement<Element: Sendable & Equatable>: Sendable {
    private struct State {
        var element: Element?
        /// The number of replacements.
        var version = 0
    }

    private let state = Lock(State())

    /// Replaces the last element.
    ///
    /// The user's `==` runs outside the lock. If another thread replaced the element during the
    /// comparison, the comparison is repeated.
    ///
    /// - Returns: False if both elements are equal.
    func replace(with element: Element) -> Bool {
        while true {
            let (last, version) = state.withLock { ($0.element, $0.version) }
            if last == element { return false }
            // `last` releases the replaced element here, outside the lock.
            let isReplaced = state.withLock { state in
                guard state.version == version else { return false }
                state.element = element
                state.version += 1
                return true
            }
            if isReplaced { return true }
        }
    }
}
