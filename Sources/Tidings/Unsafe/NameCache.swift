// SPDX-License-Identifier: Apache-2.0

/// The channels of the names under which a thread posted last, found without a lock.
@safe struct NameCache: ~Copyable {
    /// A channel that a center returned, valid until the center forgets a name.
    @unsafe private struct Entry {
        var center: UInt64 = 0
        var version = 0
        var name = ""
        var channel: Unmanaged<Channel>?
    }

    private static var size: Int { 16 }
    private let entries: UnsafeMutablePointer<Entry>

    init() {
        unsafe entries = .allocate(capacity: Self.size)
        unsafe entries.initialize(repeating: Entry(), count: Self.size)
    }

    deinit {
        unsafe entries.deinitialize(count: Self.size)
        unsafe entries.deallocate()
    }

    /// Returns the channel of a name, or nil if the thread has not cached the channel.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - center: The number of the center.
    ///   - version: The version of the center's names, read after the thread started to read the
    ///     center.
    /// - Returns: A channel that stays until the reading ends.
    @inline(__always)
    func channel(of name: String, in center: UInt64, at version: Int) -> BorrowedChannel? {
        let entry = unsafe entries + Self.index(name)
        guard unsafe entry.pointee.center == center, unsafe entry.pointee.version == version,
            unsafe entry.pointee.name == name
        else { return nil }
        // Invariant: a center changes the version when it forgets names. The center keeps the
        // channels of forgotten names until every thread that was reading the center at that time
        // has left. So the channel is alive for a reader that finds the version of the entry.
        guard let channel = unsafe entry.pointee.channel else { return nil }
        return unsafe BorrowedChannel(channel)
    }

    func insert(_ channel: BorrowedChannel, of name: String, in center: UInt64, at version: Int) {
        let reference = unsafe channel.use { unsafe Unmanaged.passUnretained($0) }
        unsafe entries[Self.index(name)] = unsafe Entry(
            center: center,
            version: version,
            name: name,
            channel: reference
        )
    }

    /// Returns a slot for a name by the length and the end, in which names often differ.
    @inline(__always)
    private static func index(_ name: String) -> Int {
        let mixed = unsafe name.utf8.withContiguousStorageIfAvailable { text in
            guard let last = unsafe text.last else { return 0 }
            return text.count &* 7 &+ Int(last)
        }
        return (mixed ?? 0) & (size - 1)
    }
}
