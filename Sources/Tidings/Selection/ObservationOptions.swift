// SPDX-License-Identifier: Apache-2.0

/// The options of a selection, with nil for each unset option.
struct ObservationOptions<Element: Sendable>: Sendable {
    typealias Filter = @Sendable (Element) -> Bool

    var priority: ObservationPriority?
    var isOnce = false
    var subject: SubjectCondition?
    var filter: Filter?
    /// Makes the filter of one observation that rejects an element equal to the previous one.
    var duplicates: (@Sendable () -> Filter)?
    var replay: Replay?
    var buffering: Buffering?
    var concurrency: Int?
    /// The pace, and the closure that makes the timeline of one observation.
    var pace: (Pace, @Sendable () -> Timeline)?

    /// Whether a synchronous handler needs a queue as well.
    var isQueued: Bool { buffering != nil || concurrency != nil }

    /// Returns the settings of a registration.
    ///
    /// - Parameters:
    ///   - home: The home of the registration.
    ///   - place: `.main` for a handler of the main actor.
    ///   - source: The location in the user's code.
    ///   - read: Converts the received value to an element, or nil if the value is already an
    ///     element.
    /// - Returns: The settings.
    func settings(
        in home: RegistrationHome,
        on place: RegistrationFlags,
        at source: SourceLocation,
        reading read: (@Sendable (Incoming) -> Element?)? = nil
    ) -> RegistrationSettings {
        var settings = RegistrationSettings(in: home, on: place, at: source, buffering)
        if let priority { settings.priority = priority }
        if isOnce { settings.flags.insert(.once) }
        if let subject {
            settings.flags.insert(.subject)
            settings.subject = subject
        }
        if let isIncluded = makeFilter() {
            settings.filter = Self.condition(isIncluded, reading: read)
        }
        return settings
    }

    /// Returns the condition on an incoming element.
    ///
    /// The function avoids `map`, which would look up the types of both closures for each
    /// observation.
    private static func condition(
        _ isIncluded: @escaping Filter,
        reading read: (@Sendable (Incoming) -> Element?)?
    ) -> @Sendable (Incoming) -> Bool {
        guard let read else {
            return { input in
                input.read { (element: borrowing Element) in isIncluded(copy element) }
            }
        }
        return { input in
            guard let element = read(input) else { return false }
            return isIncluded(element)
        }
    }

    /// Makes the filter of one observation.
    ///
    /// Elements that `filter` rejects do not count as previous elements.
    func makeFilter() -> Filter? {
        guard let isNew = duplicates?() else { return filter }
        guard let filter else { return isNew }
        return { filter($0) && isNew($0) }
    }
}
