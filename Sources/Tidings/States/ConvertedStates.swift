// SPDX-License-Identifier: Apache-2.0

extension StatePublisher {
    /// Selects the states after a closure has converted each state.
    ///
    /// - Parameters:
    ///   - convert: Returns the state for the observers, or nil to leave every state unchanged.
    ///   - didObserve: Called after each observation has started. The selection keeps the closure's
    ///     captures alive.
    /// - Returns: The selection.
    package func states(
        _ convert: (@Sendable (LoadState<Value>) -> LoadState<Value>)?,
        didObserve: @escaping @Sendable () -> Void
    ) -> Selection<LoadState<Value>> {
        let origin = ConvertedStates(of: self, convert, didObserve: didObserve)
        return Selection(.states, of: origin, at: .unknown)
    }
}

/// The states of a publisher, converted for the observers.
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
        with options: ObservationOptions<Element>,
        on place: RegistrationFlags,
        at source: SourceLocation,
        _ make: (RegistrationSettings) -> Registration
    ) -> ObservationToken {
        defer { didObserve() }
        guard let convert, let options = options as? ObservationOptions<LoadState<Value>>
        else { return publisher.add(kind, with: options, on: place, at: source, make) }
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
