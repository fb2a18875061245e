/// The screens of `Stages` at 80 by 24 in ASCII, without the spaces at the rows' ends.
enum ExpectedScreens {
  static let turning = """
     lodestar calibrate   LIS3MDL, Pi bench                        64 samples  0:17

      --> Keep it level and turn it right: 120 deg still missing.
                                                                ....+++++
    points down: tail   left     nose     right  tail       .....       +++++
         upright + + + + + + + + + ++++++++[]++++++++     ....             ++++
                 - - - - - - - - - - - - - - - - - -     ...                 +++
                 - - - - - - - - - - - - - - - - - -    ...   turned level    +++
                 . . . . . . . . . . . . . . . . . .    ..       150 deg       ++
         on edge . . . . . . . . . . . . . . . . . .    ..                     ++
                 . . . . . . . . . . . . . . . . . .    ..     level error     ++
                 . . . . . . . . . . . . . . . . . .    ...     12.0 deg      +++
                 . . . . . . . . . . . . . . . . . .     ...                 +++
     upside down . . . . . . . . . . . . . . . . . .      ....             ++++
                                                            .....       ..+[]
      ## good   ++ fair   -- poor   :: not known                .........
      #  half: not been there   [] now   >< go there

           _     _  o   worst error predicted up to 45 deg of tilt:  poor
        | |_     _|     headings may be 10 to 20 deg off
        | |_| . |_      seen 2 % of all tilts


     s save   q stop   u undo 10 s   r start again   p pause   ? help
    """

  static let tilting = """
     lodestar calibrate   LIS3MDL, Pi bench                       231 samples  0:52

      <-- Tilt it left side down and turn it all the way round.
                                                                ....#####
    points down: tail   left     nose     right  tail       ###..       #####
         upright ####################################     ####             ####
                 + + +++++++++++++++ + # ##### #####     ###                 ###
                 + + + + + + + + + + + ##### ##### ##   ###   turned level    ###
                 - - - - - - - - - - - +++ ++++[]++++   ##       330 deg       ##
         on edge - - - - ><- - - - - - + +++++ +++++    ##                     ##
                 - - - - - - - - - - - + + + + + + +    ##     level error     ##
                 - - - - - - - - - - - + + + + + + +    ###      1.4 deg      ###
                 . . . . . . . . . . . - - - - - - -     ###                 ###
     upside down . . . . . . . . . . . - - - - - - -      ####             ####
                                                            #####       #####
      ## good   ++ fair   -- poor   :: not known                #########
      #  half: not been there   [] now   >< go there

                o     worst error predicted up to 45 deg of tilt:  fair
      |_|   |_|       95 of 100 headings within about 5 deg
        | .   |       seen 20 % of all tilts


     s save   q stop   u undo 10 s   r start again   p pause   ? help
    """

  static let done = """
     lodestar calibrate   LIS3MDL, Pi bench                       512 samples  2:08

      Done: more turning makes it no better. Press s to save.
                                                                #########
    points down: tail   left     nose     right  tail       #####       ###[]
         upright ####[]##############################     ####             ####
                 ####################################    ###                 ###
                 # ######### ############### ########   ###   turned level    ###
                 ##### ######### ##### ######### ####   ##       360 deg       ##
         on edge ######### ############### #########    ##                     ##
                 ### ######### ##### ######### ######   ##     level error     ##
                 ####### ######### ##### ######### ##   ###      1.1 deg      ###
                 + +++++++++ +++++++++++++++ ++++++++    ###                 ###
     upside down +++++ +++++++++ +++++ +++++++++ ++++     ####             ####
                                                            #####       #####
      ## good   ++ fair   -- poor   :: not known                #########
      #  half: not been there   [] now   >< go there

             _  o     worst error predicted up to 45 deg of tilt:  good
        |     |       95 of 100 headings within about 3 deg
        | .   |       seen 83 % of all tilts


     s save   q stop   u undo 10 s   r start again   p pause   ? help
    """
}
