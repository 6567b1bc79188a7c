// SPDX-License-Identifier: Apache-2.0

/// The registrations of two channels, in one order, without a retained reference.
///
/// A value is valid during the call that receives it, and is never stored.
@safe struct BorrowedSubscribers {
    private let first: Unmanaged<SubscriberBuffer>
    private let second: Unmanaged<SubscriberBuffer>
    private let firstExtent: SubscriberExtent
    private let secondExtent: SubscriberExtent

    /// Creates the view of one channel's buffer at this moment.
    ///
    /// Invariant of both initialisers: the thread reads the channels of the buffers until the
    /// receiver of the value has returned.
    @inline(__always)
    init(_ buffer: SubscriberBuffer) {
        unsafe first = .passUnretained(buffer)
        unsafe second = .passUnretained(buffer)
        firstExtent = buffer.extent
        secondExtent = SubscriberExtent(bits: 0)
    }

    /// Creates the view of the buffers of two channels.
    @inline(__always)
    init(_ buffer: SubscriberBuffer, _ other: SubscriberBuffer) {
        unsafe first = .passUnretained(buffer)
        unsafe second = .passUnretained(other)
        firstExtent = buffer.extent
        secondExtent = other.extent
    }

    /// The number of registrations.
    var count: Int { firstExtent.alive + secondExtent.alive }

    /// Whether the second channel had no registration.
    var isSecondEmpty: Bool { secondExtent.alive == 0 }

    /// Calls `body` with each registration that was not removed since, and with whether the
    /// registration belongs to the second channel.
    @inline(__always)
    func visit(_ body: (Registration, Bool) -> Void) {
        unsafe first._withUnsafeGuaranteedRef { first in
            unsafe second._withUnsafeGuaranteedRef { second in
                let (count, secondCount) = (firstExtent.count, secondExtent.count)
                var (index, secondIndex) = (0, 0)
                while index < count || secondIndex < secondCount {
                    let isSecond =
                        secondIndex < secondCount
                        && (index == count || second.rank(secondIndex) < first.rank(index))
                    if isSecond {
                        second.visit(secondIndex) { body($0, true) }
                        secondIndex += 1
                    } else {
                        first.visit(index) { body($0, false) }
                        index += 1
                    }
                }
            }
        }
    }

    /// Returns how many of the registrations a message about `subject` addresses.
    func countAddressed(about subject: (any AnyObject & Sendable)?) -> Int {
        var count = 0
        visit { registration, _ in if registration.isAddressed(about: subject) { count += 1 } }
        return count
    }
}

@available(*, unavailable)
extension BorrowedSubscribers: Sendable {}
