// SPDX-License-Identifier: Apache-2.0

extension StatePublisher {
    /// Selects the states as a closure converts them.
    ///
    /// - Parameters:
    ///   - convert: Returns the state for the observers; nil leaves every state as it is.
    ///   - didObserve: Called after each observation has begun. The selection keeps its captures
    ///     alive.
    /// - Returns: The selection.
    package func states(
        _ convert: (@Sendable (LoadState<Value>) -> LoadState<Value>)?,
        didObserve: @escaping @Sendable () -> Void
    ) -> Selection<LoadState<Value>> {
        let origin = ConvertedStates(of: self, convert, didObserve: didObserve)
        return Selection(.states, of: origin, at: .unknown)
    }
}

/// The states of a publisher, converted for their observers.
private final class ConvertedStates<Value: Sendable>: SelectionOrigin {
    private let publisher: StatePublisher<Value>
    private let convert: (@Sendable (LoadState<Value>) -> LoadState<Value>)?
    private let didObserve: @Sendable () -> Void

    init(
        of publisher: StatePublisher<Value>,
        _ convert: (@Sendable (LoadState<Value>) -> LoadState<Value>)?,
        didObserve: @escaping @Sendable () -> Void
    ) {
        self.publisher = publisher
        self.convert = convert
        self.didObserve = didObserve
    }

    var errorCenter: MessageCenter { publisher.errorCenter }

    func add<Element: Sendable>(
        _ kind: SelectionKind,
        _ options: ObservationOptions<Element>,
        on place: RegistrationFlags,
        at source: SourceLocation,
        _ make: (RegistrationSettings) -> Registration
    ) -> ObservationToken {
        defer { didObserve() }
        guard let convert, let options = options as? ObservationOptions<LoadState<Value>>
        else { return publisher.add(kind, options, on: place, at: source, make) }
        let settings = options.settings(in: publisher.delivery.channel, on: place, at: source) {
            input in
            input.read { (state: borrowing LoadState<Value>) in convert(copy state) }
        }
        let registration = publisher.start(settings) { settings in
            ConvertedRegistration(settings, { convert($0) }, make)
        }
        return ObservationToken(registration)
    }
}
