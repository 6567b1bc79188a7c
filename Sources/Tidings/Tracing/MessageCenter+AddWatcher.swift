// SPDX-License-Identifier: Apache-2.0

import TidingsLock

extension MessageCenter {
    /// Adds a watcher of every post of this center until the token is cancelled or dropped.
    ///
    /// - Parameters:
    ///   - fileID: The watching file, for the leak report.
    ///   - line: The watching line.
    ///   - posting: Called with each post before the first handler runs, if not nil.
    ///   - delivered: Called with each post after the last handler has returned, if not nil.
    /// - Returns: The token that ends the watch.
    package func addWatcher(
        fileID: StaticString,
        line: UInt,
        posting: (@Sendable (PostingEvent) -> Void)?,
        delivered: (@Sendable (DeliveryEvent) -> Void)?
    ) -> ObservationToken {
        let (wantsPostings, wantsDeliveries) = (posting != nil, delivered != nil)
        let count: @Sendable (MessageCenter, Int) -> Void = { center, change in
            center.tracing.add(
                change,
                wantsPostings: wantsPostings,
                wantsDeliveries: wantsDeliveries
            )
            center.registry.withLock { $0.add(.inline(change)) }
        }
        let didEnd: @Sendable () -> Void = { [weak self] in
            if let self { count(self, -1) }
        }
        let settings = RegistrationSettings(
            home: tracing.watchers,
            source: SourceLocation(fileID: fileID, line: line),
            didEnd: didEnd
        )
        let registration = WatchRegistration(settings, posting: posting, delivered: delivered)
        tracing.watchers.insert(registration)
        count(self, 1)
        return ObservationToken(registration)
    }
}
