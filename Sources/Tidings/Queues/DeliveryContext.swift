// SPDX-License-Identifier: Apache-2.0

/// What goes with a message into a queue.
struct DeliveryContext: Sendable {
    /// Who waits until it was handled.
    var group: DeliveryGroup?
    /// The places that were promised for it.
    var places: PromisedPlaces?
    /// Learns whether the handler was called, if the message waits until one was.
    var acknowledgment: Acknowledgment?
    /// Whether the center's error hooks may be told of what fails.
    var reportsErrors = true
}
