// SPDX-License-Identifier: Apache-2.0

/// The signal handler's record of a crash.
///
/// The file is untrusted. A section that is incomplete or does not match its checksum is skipped,
/// and all other sections are kept.
struct RawCapture: Equatable, Sendable {
    /// The origin of a code address.
    enum FrameKind: UInt64, Sendable {
        /// The address is the program counter.
        case counter = 0
        /// The address is the return address of a call.
        case returns = 1
        /// The address is the continuation of an asynchronous function.
        case resumes = 2
    }

    struct Frame: Hashable, Sendable {
        let address: UInt64
        let kind: FrameKind
    }

    struct Signal: Equatable, Sendable {
        let number: Int32
        let code: Int32
        let process: Int32
        let thread: Int32
        /// The process that sent the signal, or 0 for the system.
        let sender: Int32
        let senderUser: Int32
        /// The address of the failed access, if the system provides it.
        let address: UInt64
        let seconds: Int64
        let nanoseconds: Int64
    }

    enum Architecture: UInt64, Sendable {
        case x86 = 1
        case arm = 2
    }

    /// A part of a file that was mapped as executable.
    struct Mapping: Equatable, Sendable {
        let start: UInt64
        let end: UInt64
        let offset: UInt64
        /// The address where the beginning of the file was mapped, or nil if not mapped.
        let base: UInt64?
        /// The build identifier in lowercase hexadecimal, or nil for a file without one.
        let buildID: String?
        let path: String
    }

    /// Whether the handler completed the record.
    private(set) var isComplete = false
    /// Whether the handler itself crashed, or some part had no space.
    private(set) var isTruncated = false
    /// Whether the handler stopped because of its time limit.
    private(set) var isLate = false
    /// Whether the process survived the crash.
    private(set) var isRecovered = false
    private(set) var signal: Signal?
    private(set) var architecture: Architecture?
    /// The registers, in the order of the architecture's list.
    private(set) var registers: [UInt64] = []
    private(set) var threadName: String?
    /// The threads that did not crash, keyed by number, with name, registers and calls.
    private(set) var others: [Int32: RawCapture] = [:]
    /// The frames, innermost first.
    private(set) var frames: [Frame] = []
    /// The possible suspended callers of the frames, by the index of the frame, innermost first.
    ///
    /// The callers are certain only if the function of the frame is asynchronous.
    private(set) var callers: [Int: [UInt64]] = [:]
    /// The possible return addresses, from the top of the stack.
    private(set) var candidates: [UInt64] = []
    /// The places of the candidates and of frame pointers.
    private(set) var stack = StackPlaces()
    private(set) var mappings: [Mapping] = []
    /// The newest bytes of the standard error.
    private(set) var text: [UInt8] = []
    /// The message with which the C library aborted, or nil without an abort.
    private(set) var abortMessage: String?

    /// The kind of the section with the number of a thread, before that thread's own sections.
    private static let otherThread = 12
    private static let textSize = 16 << 10
    private static let magic = Array("TIDCRSH1".utf8)

    private init() {}

    /// Decodes a capture, or returns nil without a crash or for a file in another format.
    init?(_ bytes: some Collection<UInt8>) {
        var reader = ByteReader(bytes)
        guard let magic = reader.bytes(8), magic.elementsEqual(Self.magic),
            reader.number(UInt32.self) == 1, let flags = reader.number(UInt32.self)
        else { return nil }
        isComplete = flags & 1 != 0
        isTruncated = flags & 2 != 0
        isLate = flags & 4 != 0
        isRecovered = flags & 8 != 0
        var other: Int32?
        while let kind = reader.number(UInt32.self), kind != 0,
            let length = reader.number(UInt32.self), let checksum = reader.number(UInt32.self),
            reader.number(UInt32.self) != nil, let payload = reader.bytes(Int(length))
        {
            let isWhole = Self.checksum(of: payload) == checksum
            if kind == Self.otherThread {
                var reader = ByteReader(payload)
                // A damaged number must not move the calls to another thread.
                other = isWhole ? reader.number() : 0
            } else if isWhole, let other {
                others[other, default: RawCapture()].decode(payload, kind: kind)
            } else if isWhole {
                decode(payload, kind: kind)
            }
        }
        others[0] = nil
    }

    private mutating func decode(_ payload: ArraySlice<UInt8>, kind: UInt32) {
        var reader = ByteReader(payload)
        switch kind {
        case 1: signal = Signal(&reader)
        case 2:
            architecture = reader.number().flatMap(Architecture.init)
            registers = reader.numbers(UInt64.self)
        case 3: threadName = String(decoding: payload, as: UTF8.self)
        case 4:
            while let address = reader.number(UInt64.self), let kind = reader.number(UInt64.self) {
                guard let kind = FrameKind(rawValue: kind) else { return }
                frames.append(Frame(address: address, kind: kind))
            }
        case 5: candidates = reader.numbers(UInt64.self)
        case 6: while let mapping = Mapping(&reader) { mappings.append(mapping) }
        case 7: text = Self.text(&reader)
        case 8: abortMessage = String(decoding: payload, as: UTF8.self)
        case 9:
            while let frame = reader.number(UInt64.self), let address = reader.number(UInt64.self) {
                callers[Int(clamping: frame), default: []].append(address)
            }
        case 10:
            stack.top = reader.number() ?? 0
            stack.calls = reader.numbers(UInt16.self)
        case 11:
            while let from = reader.number(UInt16.self), let to = reader.number(UInt16.self) {
                stack.links[from] = to
            }
        default: break
        }
    }

    /// Unrolls the ring buffer of the newest bytes.
    private static func text(_ reader: inout ByteReader) -> [UInt8] {
        guard let count = reader.number(UInt32.self), let ring = reader.bytes(textSize) else {
            return []
        }
        let bytes = Array(ring)
        let next = count > bytes.count ? Int(count) % bytes.count : 0
        let text = count > bytes.count ? bytes[...] : bytes.prefix(Int(count))
        // Zeros replace discarded text.
        return (text[next...] + text[..<next]).filter { $0 != 0 }
    }

    private static func checksum(of bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
    }
}

extension RawCapture.Signal {
    fileprivate init?(_ reader: inout ByteReader) {
        guard let number = reader.number(Int32.self), let code = reader.number(Int32.self),
            reader.number(Int32.self) != nil, let process = reader.number(Int32.self),
            let thread = reader.number(Int32.self), let sender = reader.number(Int32.self),
            let user = reader.number(Int32.self), reader.number(Int32.self) != nil,
            let address = reader.number(UInt64.self), let seconds = reader.number(Int64.self),
            let nanoseconds = reader.number(Int64.self)
        else { return nil }
        self.number = number
        self.code = code
        self.process = process
        self.thread = thread
        self.sender = sender
        senderUser = user
        self.address = address
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }
}

extension RawCapture.Mapping {
    private static let buildLimit = 32

    fileprivate init?(_ reader: inout ByteReader) {
        guard let start = reader.number(UInt64.self), let end = reader.number(UInt64.self),
            let offset = reader.number(UInt64.self), let base = reader.number(UInt64.self),
            let length = reader.number(UInt32.self), let buildLength = reader.number(UInt32.self),
            let build = reader.bytes(Self.buildLimit),
            let path = reader.bytes(Int(length) + (8 - Int(length) % 8) % 8)
        else { return nil }
        self.start = start
        self.end = end
        self.offset = offset
        self.base = base == 0 ? nil : base
        let buildID = build.prefix(Int(buildLength))
        self.buildID = buildID.isEmpty ? nil : BuildID.text(of: buildID)
        self.path = String(decoding: path.prefix(Int(length)), as: UTF8.self)
    }
}
