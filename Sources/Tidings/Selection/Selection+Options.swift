// SPDX-License-Identifier: Apache-2.0

extension Selection {
    /// Selects the elements for which a closure returns true.
    ///
    /// The closure is called on the poster's thread, before the element takes a place in a buffer.
    /// If the handler runs on the main actor and its buffer has no limit, the closure is called
    /// there, just before the handler. With two filters, an element must pass both.
    ///
    /// ```swift
    /// center.messages(of: Played.self).where { $0.title != "Intro" }
    /// ```
    ///
    /// - Parameter isIncluded: Returns whether the handler is called with an element.
    /// - Returns: The selection.
    public func `where`(_ isIncluded: @escaping @Sendable (Element) -> Bool) -> Selection {
        var selection = self
        if let first = options.filter {
            selection.options.filter = { first($0) && isIncluded($0) }
        } else {
            selection.options.filter = isIncluded
        }
        return selection
    }

    /// Sets the position among the other observations of the same message.
    ///
    /// ```swift
    /// center.messages(of: LoggedIn.self).priority(.high)
    /// ```
    ///
    /// - Parameter priority: The priority; `.normal` by default.
    /// - Returns: The selection.
    public func priority(_ priority: ObservationPriority) -> Selection {
        requireOnce(options.priority == nil, "priority")
        var selection = self
        selection.options.priority = priority
        return selection
    }

    /// Ends each observation with its first call.
    ///
    /// ```swift
    /// let token = center.messages(of: LoggedIn.self).once().observe { print($0.name) }
    /// ```
    ///
    /// - Returns: The selection.
    public func once() -> Selection {
        requireOnce(!options.isOnce, "once")
        var selection = self
        selection.options.isOnce = true
        return selection
    }

    /// Limits the pending elements of a handler or reader that is slower than the poster.
    ///
    /// A handler that would run on the poster's thread runs in a mailbox instead: in tasks, one
    /// element at a time, in order.
    ///
    /// With `.newest(1)`, a slow handler of states receives the newest state and skips the states
    /// between.
    ///
    /// ```swift
    /// for await newest in products.states.buffering(.newest(1)).values { show(newest) }
    /// ```
    ///
    /// - Parameter buffering: The limit; `.unbounded` by default.
    /// - Returns: The selection.
    public func buffering(_ buffering: Buffering) -> Selection {
        requireOnce(options.buffering == nil, "buffering")
        var selection = self
        selection.options.buffering = buffering
        return selection
    }

    /// Sets the number of elements that a mailbox handles at a time.
    ///
    /// A handler that would run on the poster's thread runs in a mailbox as well. Handlers on an
    /// actor and readers of a sequence take one element at a time.
    ///
    /// ```swift
    /// center.messages(of: PhotoTaken.self).concurrency(4).observe { try await upload($0) }
    /// ```
    ///
    /// - Parameter count: The number; 1 by default.
    /// - Returns: The selection.
    /// - Precondition: `count` is at least 1.
    public func concurrency(_ count: Int) -> Selection {
        requireOnce(options.concurrency == nil, "concurrency")
        require(
            count >= 1,
            "An observation runs at least 1 call at a time: concurrency(\(count)) runs none."
        )
        var selection = self
        selection.options.concurrency = count
        return selection
    }

    func requireOnce(_ isFirst: Bool, _ option: String) {
        require(isFirst, "A selection takes \(option) once. Remove one of the two.")
    }
}

extension Selection where Element: Equatable {
    /// Skips an element that equals the last one with which the handler was called.
    ///
    /// Each observation compares with its own last element. `post` still counts a skipped
    /// observation as addressed. An element that a filter rejects, or that arrives while the
    /// observation is blocked, does not become the last element. An element that a full queue drops
    /// does: where each change must be delivered, leave the queue unbounded.
    ///
    /// Elements are compared where filters are called, without a lock. If two threads post equal
    /// messages at once, the handler is called with one of them; if they post different ones, it is
    /// called with both, in either order: with posts of several threads, equal elements can follow
    /// each other in a queue.
    ///
    /// ```swift
    /// center.messages(of: VolumeSet.self).removingDuplicates()
    /// ```
    ///
    /// - Returns: The selection.
    public func removingDuplicates() -> Selection {
        requireOnce(options.duplicates == nil, "removingDuplicates")
        var selection = self
        selection.options.duplicates = {
            let memory = LastElement<Element>()
            return { memory.replace(with: $0) }
        }
        return selection
    }
}
