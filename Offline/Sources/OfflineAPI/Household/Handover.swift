// SPDX-License-Identifier: Apache-2.0

/// The result of handing an address to another machine.
package struct Handover: Hashable, Sendable, Codable {
    /// The name that stands for all machines.
    package static let any = "any"

    /// The machine that downloads the address, or nil if any machine may.
    package var machine: String?
    /// Whether the household's server has the address.
    ///
    /// Otherwise the address waits on this disk.
    package var isSent: Bool

    /// Creates a result.
    package init(machine: String?, isSent: Bool) {
        self.machine = machine
        self.isSent = isSent
    }
}

/// The error when an address cannot be handed to another machine.
package struct HandoverError: Error {
    /// The description of the fault and the remedy.
    package let message: String

    /// Creates an error.
    package init(_ message: String) { self.message = message }
}
