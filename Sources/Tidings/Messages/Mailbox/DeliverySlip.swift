// SPDX-License-Identifier: Apache-2.0

/// What goes with a message into a queue.
struct DeliverySlip: Sendable {
    /// Who waits until it was handled.
    var tally: PostTally?
    /// The places that were promised for it.
    var places: PromisedPlaces?
    /// Learns whether the handler was called, if the message waits until one was.
    var receipt: Receipt?
    /// Whether the center's error hooks may be told of what fails.
    var mayTellErrors = true
}
