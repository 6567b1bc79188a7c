// SPDX-License-Identifier: Apache-2.0
// The places of Tarsay, a fictional island. Roads use these members, so that a road to an unknown
// place does not compile.

extension Place {
    static let ferryPier = Place("Ferry Pier", east: 3_000, north: 600)
    static let fishMarket = Place("Fish Market", east: 2_800, north: 720)
    static let harbourInn = Place("Harbour Inn", east: 3_250, north: 700)
    static let marketSquare = Place("Market Square", east: 3_000, north: 950)
    static let townHall = Place("Town Hall", east: 3_200, north: 960)
    static let library = Place("Library", east: 3_350, north: 1_150)
    static let hospital = Place("Hospital", east: 3_650, north: 1_050)
    static let postOffice = Place("Post Office", east: 2_980, north: 1_180)
    static let school = Place("School", east: 2_700, north: 1_150)
    static let busStation = Place("Bus Station", east: 3_050, north: 1_450)
    static let northGate = Place("North Gate", east: 3_050, north: 1_750)
    static let botanicGarden = Place("Botanic Garden", east: 3_500, north: 1_500)
    static let millBridge = Place("Mill Bridge", east: 2_550, north: 1_400)
    static let oldMill = Place("Old Mill", east: 2_300, north: 1_500)
    static let sealBay = Place("Seal Bay", east: 1_200, north: 2_100)
    static let lighthouse = Place("Lighthouse", east: 600, north: 1_700)
    static let abbeyRuins = Place("Abbey Ruins", east: 2_500, north: 2_300)
    static let standingStones = Place("Standing Stones", east: 2_900, north: 2_900)
    static let highfieldFarm = Place("Highfield Farm", east: 3_600, north: 2_600)
    static let observatory = Place("Observatory", east: 3_900, north: 3_300)
    static let lochHead = Place("Loch Head", east: 3_100, north: 3_500)
    static let northBeach = Place("North Beach", east: 3_200, north: 4_400)
    static let airfield = Place("Airfield", east: 4_800, north: 1_300)
    static let eastPoint = Place("East Point", east: 5_500, north: 1_900)
    /// A place on an islet without a road.
    static let holmChapel = Place("Holm Chapel", east: 4_400, north: 200)
}

extension Gazetteer {
    static let tarsay = Gazetteer(places: [
        .ferryPier, .fishMarket, .harbourInn, .marketSquare, .townHall, .library, .hospital,
        .postOffice, .school, .busStation, .northGate, .botanicGarden, .millBridge, .oldMill,
        .sealBay, .lighthouse, .abbeyRuins, .standingStones, .highfieldFarm, .observatory,
        .lochHead, .northBeach, .airfield, .eastPoint, .holmChapel,
    ])
}
