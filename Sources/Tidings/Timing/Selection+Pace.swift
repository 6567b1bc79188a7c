// SPDX-License-Identifier: Apache-2.0

extension Selection {
    /// Calls the handler with the first element immediately, and then at most once per interval
    /// with the newest element.
    ///
    /// An element that arrives before the end of the interval is pending. A newer element replaces
    /// the pending element, so the last element is always delivered. ``debounced(for:clock:)``
    /// describes the rules that all three paces share.
    ///
    /// ```swift
    /// center.messages(of: DownloadProgress.self).throttled(for: .milliseconds(100))
    ///     .observe(owner: self, on: .main) { screen, message in screen.show(message.bytes) }
    /// ```
    ///
    /// - Parameters:
    ///   - interval: The shortest time between two calls.
    ///   - clock: The clock that measures the interval.
    /// - Returns: The selection.
    /// - Precondition: `interval` is above zero, and the selection has no other pace.
    public consuming func throttled(
        for interval: Duration,
        clock: some Clock<Duration> = ContinuousClock()
    ) -> Selection {
        paced(.throttled(interval), clock)
    }

    /// Calls the handler with the newest element after a time without a further element.
    ///
    /// ```swift
    /// center.messages(of: QueryTyped.self).debounced(for: .milliseconds(300))
    ///     .observe(owner: self, on: .main) { screen, query in screen.find(query.text) }
    /// ```
    ///
    /// A newer element does not cancel a handler that is still running. A search box therefore
    /// keeps the task of a search, and cancels the task when the next search starts:
    ///
    /// ```swift
    /// private var searching: Task<Void, Never>?
    ///
    /// private func find(_ text: String) {
    ///     searching?.cancel()
    ///     searching = Task { [weak self] in
    ///         do {
    ///             let results = try await fetchResults(text)
    ///             if !Task.isCancelled { self?.show(results) }
    ///         } catch {
    ///             if !Task.isCancelled { self?.show(error) }
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// Each observation has a separate pace. `post` counts the observation as addressed and
    /// continues, and `postAndWait` does not wait for a paced handler. Filters are called before an
    /// element becomes pending. ``removingDuplicates()`` and ``once()`` apply to the elements that
    /// are due. A plain handler is called on the poster's thread or, when an element is due, on a
    /// thread of the runtime's pool, but never on both simultaneously. Every other handler runs in
    /// the handler's own context.
    ///
    /// Cancelling the observation drops the pending element. When the center finishes or is
    /// deallocated, the element is delivered soon.
    ///
    /// - Parameters:
    ///   - interval: The required time without a further element.
    ///   - clock: The clock that measures the interval.
    /// - Returns: The selection.
    /// - Precondition: `interval` is above zero, and the selection has no other pace.
    public consuming func debounced(
        for interval: Duration,
        clock: some Clock<Duration> = ContinuousClock()
    ) -> Selection {
        paced(.debounced(interval), clock)
    }

    /// Calls the handler with the newest element at the end of each interval in which an element
    /// arrived.
    ///
    /// The intervals follow each other from the moment the observation starts.
    /// ``debounced(for:clock:)`` describes the rules that all three paces share.
    ///
    /// ```swift
    /// let token = center.messages(of: Measured.self).sampled(every: .seconds(1)).observe {
    ///     log($0.value)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - interval: The length of each interval.
    ///   - clock: The clock that measures the interval.
    /// - Returns: The selection.
    /// - Precondition: `interval` is above zero, and the selection has no other pace.
    public consuming func sampled(
        every interval: Duration,
        clock: some Clock<Duration> = ContinuousClock()
    ) -> Selection {
        paced(.sampled(interval), clock)
    }

    private consuming func paced(_ pace: Pace, _ clock: some Clock<Duration>) -> Selection {
        requireOnce(options.pace == nil, "a pace (throttled, debounced or sampled)")
        require(
            pace.interval > .zero,
            "A pace needs an interval above zero, not \(pace.interval)."
        )
        options.pace = (pace, { Timeline(clock) })
        return self
    }
}
