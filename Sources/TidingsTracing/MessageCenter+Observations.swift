// SPDX-License-Identifier: Apache-2.0
public import Tidings

extension MessageCenter {
    /// Returns all current observations of this center, in the order in which they began.
    ///
    /// Expired observations are not included; watchers and hooks are. The call visits each
    /// observation, so use it for diagnosis only.
    ///
    /// ```swift
    /// for status in center.observations() { print(status) }
    /// ```
    public func observations() -> [ObservationStatus] {
        currentObservations().map(ObservationStatus.init)
    }

    /// Returns the number of observations for each location where they were made.
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
