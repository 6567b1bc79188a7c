// SPDX-License-Identifier: Apache-2.0

extension Selection {
    /// Calls the handler with the first element at once, and then at most once per interval, with
    /// the newest one.
    ///
    /// An element that comes before the interval is over waits; a newer one takes its place, so the
    /// last one always arrives. ``debounced(for:clock:)`` says what the three paces share.
    ///
    /// ```swift
    /// center.messages(of: DownloadProgress.self).throttled(for: .milliseconds(100))
    ///     .observe(owner: self, on: .main) { screen, message in screen.show(message.bytes) }
    /// ```
    ///
    /// - Parameters:
    ///   - interval: The shortest time between two calls.
    ///   - clock: The clock that measures it.
    /// - Returns: The selection.
    /// - Precondition: `interval` is above zero, and the selection has no other pace.
    public func throttled(
        for interval: Duration,
        clock: some Clock<Duration> = ContinuousClock()
    ) -> Selection {
        paced(.throttled(interval), clock)
    }

    /// Calls the handler with the newest element once no other came for a while.
    ///
    /// ```swift
    /// center.messages(of: QueryTyped.self).debounced(for: .milliseconds(300)).observe { query in
    ///     try await search(query.text)
    /// }
    /// ```
    ///
    /// Each observation has a pace of its own; `post` counts it as addressed and goes on, and
    /// `postAndWait` does not wait for it. Filters are asked before an element waits;
    /// ``removingDuplicates()`` and ``once()`` look at the elements whose time has come. A plain
    /// handler is called on the poster's thread or, when the time comes, on a thread of the
    /// runtime's pool, never by both at once; every other handler runs where it belongs.
    ///
    /// Cancelling the observation forgets the element that waits. When the center finishes or is
    /// deallocated, the element is delivered soon.
    ///
    /// - Parameters:
    ///   - interval: The time without an element.
    ///   - clock: The clock that measures it.
    /// - Returns: The selection.
    /// - Precondition: `interval` is above zero, and the selection has no other pace.
    public func debounced(
        for interval: Duration,
        clock: some Clock<Duration> = ContinuousClock()
    ) -> Selection {
        paced(.debounced(interval), clock)
    }

    /// Calls the handler at the end of each interval in which an element came, with the newest one.
    ///
    /// The intervals follow each other from the moment the observation begins.
    /// ``debounced(for:clock:)`` says what the three paces share.
    ///
    /// ```swift
    /// let token = center.messages(of: Measured.self).sampled(every: .seconds(1)).observe {
    ///     log($0.value)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - interval: The length of each interval.
    ///   - clock: The clock that measures it.
    /// - Returns: The selection.
    /// - Precondition: `interval` is above zero, and the selection has no other pace.
    public func sampled(
        every interval: Duration,
        clock: some Clock<Duration> = ContinuousClock()
    ) -> Selection {
        paced(.sampled(interval), clock)
    }

    private func paced(_ pace: Pace, _ clock: some Clock<Duration>) -> Selection {
        requireOnce(options.pace == nil, "a pace (throttled, debounced or sampled)")
        require(
            pace.interval > .zero,
            "A pace needs an interval above zero, not \(pace.interval)."
        )
        var selection = self
        selection.options.pace = (pace, { Timeline(clock) })
        return selection
    }
}
