// SPDX-License-Identifier: Apache-2.0

/// A channel that a center keeps, without a retained reference.
///
/// Channels have weak references, which makes the counting of strong references slow.
@safe struct BorrowedChannel: Sendable {
    private let reference: Unmanaged<Channel>

    init(_ reference: Unmanaged<Channel>) {
        unsafe self.reference = reference
    }

    /// Creates a reference to a channel that a center keeps.
    init(_ channel: Channel) {
        unsafe reference = .passUnretained(channel)
    }

    /// Calls `body` with the channel.
    ///
    /// Invariant: the caller keeps the center. The center keeps the channels of types for life.
    /// When the center forgets a name, the channel is kept until every thread that was reading the
    /// center at that time has left.
    @inline(__always)
    func use<Result>(_ body: (Channel) -> Result) -> Result {
        unsafe reference._withUnsafeGuaranteedRef(body)
    }
}

/// The channels that a thread used last, found by center and type without a lock.
@safe struct ChannelCache: ~Copyable {
    @unsafe private struct Entry {
        var center: UInt64 = 0
        var type: UInt = 0
        var channel: Unmanaged<Channel>?
    }

    private static var size: Int { 64 }
    private let entries: UnsafeMutablePointer<Entry>

    init() {
        unsafe entries = .allocate(capacity: Self.size)
        unsafe entries.initialize(repeating: Entry(), count: Self.size)
    }

    deinit { unsafe entries.deallocate() }

    @inline(__always)
    func channel(of type: ObjectIdentifier, in center: UInt64) -> BorrowedChannel? {
        let type = UInt(bitPattern: type)
        let entry = unsafe entries[Self.index(type, center)]
        guard unsafe entry.type == type, unsafe entry.center == center else { return nil }
        // Invariant: numbers of centers are never used again, so this is the caller's center.
        guard let channel = unsafe entry.channel else { return nil }
        return unsafe BorrowedChannel(channel)
    }

    func insert(
        _ channel: Channel,
        of type: ObjectIdentifier,
        in center: UInt64
    ) -> BorrowedChannel {
        let type = UInt(bitPattern: type)
        let reference = unsafe Unmanaged.passUnretained(channel)
        let entry = unsafe Entry(center: center, type: type, channel: reference)
        unsafe entries[Self.index(type, center)] = entry
        return unsafe BorrowedChannel(reference)
    }

    @inline(__always)
    private static func index(_ type: UInt, _ center: UInt64) -> Int {
        // Metadata is aligned, so the low bits carry no information. Mixing fills the high bits.
        let mixed = (type ^ UInt(truncatingIfNeeded: center)) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: mixed >> 58)
    }
}
