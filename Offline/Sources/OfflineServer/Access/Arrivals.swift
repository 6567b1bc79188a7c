// SPDX-License-Identifier: Apache-2.0

/// The devices that wait until the user lets them in or refuses them.
///
/// A device waits only after presenting a ticket, so the number of devices is small.
struct Arrivals {
    /// A device that waits or was refused.
    struct Arrival: Equatable {
        let id: Int
        /// The name for display.
        let name: String
        /// The digits that both the device and the user's page show.
        let code: String
        /// The key with which the device will prove its identity.
        let key: AccessToken
        /// The time of arrival.
        let time: Duration
        var isRefused = false
    }

    /// The time for which a device waits.
    static let lifetime = Duration.seconds(600)
    /// The maximum number of devices.
    ///
    /// One more device removes the oldest one.
    static let capacity = 8

    private(set) var all: [Arrival] = []
    private var last = 0

    /// Adds a device that waits.
    mutating func add(_ name: String, code: String, key: AccessToken, at time: Duration) -> Arrival
    {
        removeOld(at: time)
        last += 1
        let arrival = Arrival(id: last, name: name, code: code, key: key, time: time)
        all.append(arrival)
        if all.count > Self.capacity { all.removeFirst() }
        return arrival
    }

    /// Removes a device that the user has let in.
    mutating func remove(_ id: Int) {
        all.removeAll { $0.id == id }
    }

    /// Refuses a device.
    ///
    /// The device can read the refusal until the end of the waiting time. Returns false if no
    /// device with this number waits.
    mutating func refuse(_ id: Int, at time: Duration) -> Bool {
        removeOld(at: time)
        guard let index = all.firstIndex(where: { $0.id == id && !$0.isRefused }) else {
            return false
        }
        all[index].isRefused = true
        return true
    }

    /// Returns the device with a key.
    func arrival(withKey key: String, at time: Duration) -> Arrival? {
        all.first { $0.key.matches(key) && $0.time + Self.lifetime >= time }
    }

    /// Returns the devices that wait.
    func waiting(at time: Duration) -> [Arrival] {
        all.filter { !$0.isRefused && $0.time + Self.lifetime >= time }
    }

    private mutating func removeOld(at time: Duration) {
        all.removeAll { $0.time + Self.lifetime < time }
    }
}
