// SPDX-License-Identifier: Apache-2.0

/// The places of return addresses and frame pointers on the crashed thread's stack.
///
/// All other words are unknown.
struct StackPlaces: Equatable, Sendable {
    /// The address of the first word.
    var top: UInt64 = 0
    /// The indices of the words that are return addresses, in the order of the candidates.
    var calls: [UInt16] = []
    /// The indices of frame pointers, each with the index of the frame record to which it points.
    var links: [UInt16: UInt16] = [:]

    /// Returns the frame pointer at an address.
    func framePointer(at address: UInt64) -> UInt64? {
        index(of: address).flatMap { links[$0] }.map { self.address(of: $0) }
    }

    /// Returns the index of the word at an address.
    func index(of address: UInt64) -> UInt16? {
        let distance = address &- top
        return distance.isMultiple(of: 8) ? UInt16(exactly: distance / 8) : nil
    }

    /// Returns the address of a word.
    private func address(of index: UInt16) -> UInt64 { top &+ UInt64(index) * 8 }
}
