// SPDX-License-Identifier: Apache-2.0
public import Tidings

extension MessageCenter {
    /// Returns all current observations of this center, in the order of registration.
    ///
    /// Expired observations are not included, but watchers and hooks are. The call visits each
    /// observation and is meant for diagnosis only.
    ///
    /// ```swift
    /// for status in center.observations() { print(status) }
    /// ```
    public func observations() -> [ObservationStatus] {
        currentObservations().map(ObservationStatus.init)
    }

    /// Returns the number of observations for each location of registration.
    ///
    /// A location whose count keeps growing indicates a leak.
    ///
    /// ```swift
    /// print(center.leakReport())
    /// ```
    public func leakReport() -> LeakReport {
        LeakReport(observations())
    }
}
