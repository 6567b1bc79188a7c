// SPDX-License-Identifier: Apache-2.0

/// Where what lies in the file of a run; numbers begin with the lowest byte.
///
/// Every record has a checksum that begins with a random key of the file: what a program was given
/// to record can never be taken for a record, wherever its bytes lie.
///
///     head         magic, key, checksum of both, end mark, lost events
///     scope        two slots: checksum, sequence, length, bytes
///     breadcrumbs  slots: checksum, sequence, date, origin, lengths, text, location
///     text         the newest bytes of the standard error, as `tidings_crash_text`
///     events       blocks: state, checksum, sequence, length, flags, bytes
///     head again   magic, key, checksum of both
enum RunLayout {
    static let magic: UInt64 = 0x3130_4E55_5244_4954  // TIDRUN01

    // The head.
    static let key = 8
    static let headChecksum = 16
    static let endMark = 24
    static let lostEvents = 32

    /// Room for all keys that can be set, each with the longest name and the longest text.
    static let scopeSlot = 80 << 10
    static let scopeHead = 24
    static let scopes = 4_096

    /// A breadcrumb that is being written takes the place of one that is not needed any more.
    static let breadcrumbSlots = breadcrumbLimit + 1
    static let breadcrumbLimit = 100
    static let breadcrumbSlot = 1_536
    static let breadcrumbHead = 32
    static let textLimit = 1_024
    static let locationLimit = 256
    static let breadcrumbs = scopes + 2 * scopeSlot

    static let text = wholePages(breadcrumbs + breadcrumbSlots * breadcrumbSlot)
    static let textSize = 16 << 10

    static let block = 64
    static let eventBlocks = (1 << 20) / block
    static let eventHead = 32
    /// The longest event; more than all texts of one together can have.
    static let eventLimit = 256 << 10
    static let pending: UInt64 = 0x474E_4944_4E45_5054  // TPENDING
    static let events = wholePages(text + 4 + textSize)

    static let secondHead = events + eventBlocks * block
    static let size = secondHead + 4_096

    private static func wholePages(_ count: Int) -> Int { (count + 4_095) / 4_096 * 4_096 }

    static func scope(_ sequence: UInt64) -> Int {
        scopes + (sequence % 2 == 0 ? 0 : scopeSlot)
    }

    static func breadcrumb(_ sequence: UInt64) -> Int {
        breadcrumbs + Int(sequence % UInt64(breadcrumbSlots)) * breadcrumbSlot
    }

    /// How many blocks an event of so many bytes takes.
    static func blocks(_ count: Int) -> Int { (eventHead + count + block - 1) / block }
}
