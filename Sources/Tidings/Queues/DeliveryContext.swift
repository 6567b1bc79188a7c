// SPDX-License-Identifier: Apache-2.0

/// The context that goes with a message into a queue.
struct DeliveryContext: Sendable {
    /// The deliveries that the poster waits for, if it does.
    var group: DeliveryGroup?
    /// The places promised for the message.
    var places: PromisedPlaces?
    /// Records whether the handler was called, if the message waits for that.
    var acknowledgment: Acknowledgment?
    /// Whether the filter accepted the message before it took a place in a queue.
    var hasPassedFilter = false
    /// Whether the center may call its error hooks about failures.
    var reportsErrors = true

    /// Returns the result of an observation's filter, if it was called already.
    func isWanted(by registration: Registration) -> Bool? {
        hasPassedFilter ? true : places?.isWanted(by: registration)
    }
}
