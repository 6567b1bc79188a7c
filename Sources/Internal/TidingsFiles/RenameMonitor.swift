// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import Dispatch
import Foundation
import TidingsLock

/// The one instance of inotify of this process, which exists while a folder is watched.
final class RenameMonitor: Sendable {
    static let shared = RenameMonitor()

    /// The registration of one watch.
    struct Registration: Sendable {
        // Unchecked: Dispatch allows any thread to use a source.
        /// The source that each rename triggers once the owner has resumed the source.
        nonisolated(unsafe) let source: any DispatchSourceUserDataOr
        fileprivate let folder: CInt
        fileprivate let number: Int
    }

    private struct Instance {
        let descriptor: CInt
        let events: any DispatchSourceRead
        /// The registrations by folder, because the kernel gives a folder that is watched twice one
        /// number.
        var registrations: [CInt: [Int: Registration]] = [:]
    }

    private struct State {
        var instance: Instance?
        var nextNumber = 0
    }

    private let queue = DispatchQueue(label: "tidings.renames")
    private let state = Lock(State())

    /// Starts to watch a folder for renames of files into the folder.
    ///
    /// - Returns: Nil if the system has no instance or no watch left.
    func add(_ folder: String, _ queue: DispatchQueue) -> Registration? {
        state.withLock { state -> Registration? in
            guard var instance = state.instance ?? makeInstance() else { return nil }
            defer { state.instance = keepIfUsed(instance) }
            let folder = inotify_add_watch(instance.descriptor, folder, UInt32(IN_MOVED_TO))
            guard folder >= 0 else { return nil }
            let source = DispatchSource.makeUserDataOrSource(queue: queue)
            let registration = Registration(
                source: source,
                folder: folder,
                number: state.nextNumber
            )
            state.nextNumber += 1
            instance.registrations[folder, default: [:]][registration.number] = registration
            return registration
        }
    }

    /// Ends the watch that `add` started.
    func remove(_ registration: Registration) {
        let folder = registration.folder
        state.withLock { state in
            guard var instance = state.instance else { return }
            defer { state.instance = keepIfUsed(instance) }
            instance.registrations[folder]?[registration.number] = nil
            guard instance.registrations[folder]?.isEmpty == true else { return }
            instance.registrations[folder] = nil
            // The call fails if the folder was deleted, because the kernel has then ended the
            // watch.
            inotify_rm_watch(instance.descriptor, folder)
        }
    }

    private func makeInstance() -> Instance? {
        let descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard descriptor >= 0 else { return nil }
        let events = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        events.setEventHandler { [weak self] in
            let folders = Self.renamed(descriptor)
            self?.trigger(folders)
        }
        events.setCancelHandler { close(descriptor) }
        events.resume()
        return Instance(descriptor: descriptor, events: events)
    }

    private func keepIfUsed(_ instance: Instance) -> Instance? {
        if !instance.registrations.isEmpty { return instance }
        instance.events.cancel()
        return nil
    }

    private func trigger(_ folders: Set<CInt>) {
        state.withLock { state in
            guard let registrations = state.instance?.registrations else { return }
            // The kernel drops events that are not read in time, and then reports -1.
            let all = folders.contains(-1)
            for (folder, registered) in registrations where all || folders.contains(folder) {
                for registration in registered.values { registration.source.or(data: 1) }
            }
        }
    }

    /// Reads all events of an instance and returns the folders of the events.
    private static func renamed(_ descriptor: CInt) -> Set<CInt> {
        var folders: Set<CInt> = []
        withUnsafeTemporaryAllocation(
            byteCount: 4_096,
            alignment: MemoryLayout<inotify_event>.alignment
        ) { buffer in
            while case let count = read(descriptor, buffer.baseAddress, buffer.count), count > 0 {
                var offset = 0
                while offset < count {
                    let event = buffer.load(fromByteOffset: offset, as: inotify_event.self)
                    folders.insert(event.wd)
                    offset += MemoryLayout<inotify_event>.size + Int(event.len)
                }
            }
        }
        return folders
    }
}
#endif
