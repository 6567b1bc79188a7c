// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TidingsLock

extension MessageCenter {
    /// Selects the messages that conform to a protocol or inherit from a class.
    ///
    /// The observers of this selection are recipients of a message only if the closure returns a
    /// value for that message. The closure is called on the poster's thread, once for each post and
    /// selection, without a lock. `count(of:)` does not call the closure and does not count these
    /// observers.
    ///
    /// While such an observation is registered, every post of the center takes longer.
    ///
    /// ```swift
    /// let token = center.messages(conformingTo: (any Audited).self) { $0 as? any Audited }
    ///     .observe { message in log(message.auditText) }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The protocol, written `(any P).self`, or the class.
    ///   - fileID: The selecting file, for the leak report.
    ///   - line: The selecting line.
    ///   - cast: Returns the message as a value of the type, or nil.
    /// - Returns: The selection, for options and handlers.
    public func messages<Element: Sendable>(
        conformingTo type: Element.Type,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ cast: @escaping @Sendable (any Message) -> Element?
    ) -> Selection<Element> {
        let source = SourceLocation(fileID: fileID, line: line)
        return Selection(.conforming(Conformance(cast)), of: self, at: source)
    }

    /// Registers an observation of a conformance.
    func add<Element: Sendable>(
        conformingTo conformance: any MessageConformance,
        _ options: ObservationOptions<Element>,
        on place: RegistrationFlags,
        at source: SourceLocation,
        _ make: (RegistrationSettings) -> Registration
    ) -> ObservationToken {
        // Released when this function returns, outside the lock.
        var idle: [ConformanceTable.Group] = []
        // Incremented before the registration becomes visible, so that no post misses it.
        conformingObservers.add(1, ordering: .sequentiallyConsistent)
        let channel = registry.withLock { registry in
            registry.add(.full(1))
            return registry.enter(conformance, idle: &idle)
        }
        var settings = options.settings(in: channel, on: place, at: source)
        settings.addDidEnd { [weak self] in
            guard let self else { return }
            registry.withLock { $0.add(.full(-1)) }
            conformingObservers.subtract(1, ordering: .sequentiallyConsistent)
        }
        let token = add(settings, to: channel, make)
        registry.withLock { $0.conformances.leave(conformance) }
        withExtendedLifetime(idle) {}
        return token
    }

    /// Adds the forms of the message for the observers of conformances.
    func addConformingForms<M: Message>(to delivery: inout Delivery<M>) {
        guard conformingObservers.load(ordering: .sequentiallyConsistent) > 0 else { return }
        for group in registry.withLock({ $0.conformances.all }) {
            group.conformance.addForm(to: &delivery, for: group.channel)
        }
    }
}
