// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The word in the file of a run that says how the run ended: 0 while it runs, 1 when it ended by
/// itself, 2 with the signal in the second byte when that ended it.
///
/// The signal handler writes it, too, at any time. Whoever has one must not outlive the file.
struct EndMark: Sendable {
    let address: UInt

    /// Replaces what it says, if it says that; in one step, without waiting for anybody.
    func replace(_ seen: UInt32, by wanted: UInt32) {
        let word = UnsafePointer<Atomic<UInt32>>(bitPattern: address)
        _ = word?.pointee.compareExchange(
            expected: seen.littleEndian,
            desired: wanted.littleEndian,
            ordering: .sequentiallyConsistent
        )
    }
}
