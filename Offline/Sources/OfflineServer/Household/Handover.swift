// SPDX-License-Identifier: Apache-2.0

/// What has become of an address for another machine.
package struct Handover: Hashable, Sendable, Codable {
    /// The name that stands for all machines.
    package static let any = "any"

    /// The machine that keeps it; nil if any one does.
    package var machine: String?
    /// Whether the household's server has it; else it waits on this disk.
    package var isSent: Bool

    /// Creates the fate of an address.
    package init(machine: String?, isSent: Bool) {
        self.machine = machine
        self.isSent = isSent
    }
}

/// An address could not be handed to another machine.
package struct HandoverError: Error {
    /// The fault and its remedy.
    package let message: String

    /// Creates an error.
    package init(_ message: String) { self.message = message }
}
