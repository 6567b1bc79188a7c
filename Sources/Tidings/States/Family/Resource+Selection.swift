// SPDX-License-Identifier: Apache-2.0

/// A selection of a family keeps the resource alive, not only its publisher.
extension Resource: SelectionOrigin {
    var errorCenter: MessageCenter { publisher.errorCenter }

    func add<Element: Sendable>(
        _ kind: SelectionKind,
        _ options: ObservationOptions<Element>,
        on place: RegistrationFlags,
        at source: SourceLocation,
        _ make: (RegistrationSettings) -> Registration
    ) -> ObservationToken {
        let token = add(kind, place, source, options, make)
        // Repeated here, because the notification of the first observer may come late while another
        // thread releases the entry.
        if isObserved { entry?.observersCame(to: self) }
        return token
    }

    private func add<Element: Sendable>(
        _ kind: SelectionKind,
        _ place: RegistrationFlags,
        _ source: SourceLocation,
        _ options: ObservationOptions<Element>,
        _ make: (RegistrationSettings) -> Registration
    ) -> ObservationToken {
        guard case .states(let previous?) = kind,
            let previous = previous as? PreviousData<Value>,
            let options = options as? ObservationOptions<LoadState<Value>>
        else { return publisher.add(kind, options, on: place, at: source, make) }
        let settings = options.settings(in: publisher.delivery.channel, on: place, at: source) {
            input in
            input.read { (state: borrowing LoadState<Value>) in previous.shown(in: copy state) }
        }
        let registration = publisher.start(settings) { settings in
            ConvertedRegistration(settings, { previous.shown(in: $0) }, make)
        }
        return ObservationToken(registration)
    }
}
